"""Calendar arithmetic: days and months from dates, weeks, and holidays as periods that do not touch."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from random import Random

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: Year, month and day.
Day = tuple[int, int, int]
#: The first and the last day.
Period = tuple[Day, Day]
#: Periods in order, a day, and a number of months.
Input = tuple[tuple[Period, ...], Day, int]

YEARS, MONTHS, DAYS = (1900, 1999, 2000, 2003, 2004, 2020), range(1, 14), range(1, 33)
STEPS, MOST = range(-14, 15), 3
LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def exists(day: Day) -> bool:
    """Whether there is such a day."""
    try:
        date(*day)
    except ValueError:
        return False
    return True


def moved(day: Day, days: int) -> Day:
    """Return the date this many days later."""
    made = date(*day) + timedelta(days)
    return made.year, made.month, made.day


def days_of(periods: tuple[Period, ...]) -> int:
    """Return how many days some periods have."""
    return sum((date(*last) - date(*first)).days + 1 for first, last in periods)


class Calendar:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def is_leap(self, year: int) -> bool:
        """Whether a year has a leap day."""
        if self.bug == "leap-every-fourth":
            return year % 4 == 0
        if self.bug == "leap-never-in-centuries":
            return year % 4 == 0 and year % 100 != 0
        return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

    def length(self, year: int, month: int) -> int:
        """Return the number of days of a month."""
        return LENGTHS[month - 1] + (month == 2 and self.is_leap(year))

    def number(self, day: Day) -> int:
        """Return the number of a day, 1 for the first day of year 1."""
        year, month, rest = day
        before = year - 1
        leaps = before // 4 - before // 100 + before // 400
        if self.bug == "number-counts-this-year":
            leaps = year // 4 - year // 100 + year // 400 if month <= 2 else leaps
        days = sum(self.length(year, each) for each in range(1, month))
        if self.bug == "number-leap-day-from-february" and self.is_leap(year) and month == 2 and rest == 29:
            days += 1
        return before * 365 + leaps + days + rest

    def next(self, day: Day) -> Day:
        """Return the day after."""
        year, month, rest = day
        if rest < self.length(year, month):
            return year, month, rest + 1
        if month < 12:
            return year, month + 1, 1
        return (year + 1, 1, 1) if self.bug != "next-stays-in-year" else (year, 1, 1)

    def add_months(self, day: Day, months: int) -> Day:
        """Return the same day of another month, or its last day."""
        year, month, rest = day
        if self.bug == "months-truncate":
            years = int((month - 1 + months) / 12)
            month = (month - 1 + months) % 12 + 1
        else:
            years, month = divmod(month - 1 + months, 12)
            month += 1
        if self.bug == "months-december-is-next-year" and month == 12 and months > 0:
            years += 1
        clamped = min(rest, self.length(year + years, month))
        if self.bug == "months-clamp-by-old-year":
            clamped = min(rest, self.length(year, month))
        if self.bug == "months-clamp-to-thirty":
            clamped = min(rest, 30, self.length(year + years, month)) if months % 12 else clamped
        if self.bug == "months-keep-last-day" and rest == self.length(year, day[1]) and months % 12 == 0:
            clamped = self.length(year + years, month)
        return year + years, month, clamped

    def week(self, day: Day) -> tuple[int, int]:
        """Return the year and the number of a week, by the week's Thursday."""
        thursday = self.number(day) - (self.number(day) - 1) % 7 + 3
        year = day[0]
        if self.bug != "week-of-own-year":
            if thursday < self.number((year, 1, 1)):
                year -= 1
            elif thursday >= self.number((year + 1, 1, 1)) and self.bug != "week-never-of-next-year":
                year += 1
        first = self.number((year, 1, 1))
        if self.bug == "week-counts-from-monday":
            return year, (thursday - first + (first - 1) % 7) // 7 + 1
        return year, max(0, thursday - first) // 7 + 1

    def days_off(self, periods: tuple[Period, ...]) -> int:
        """Return how many days the periods have."""
        total = 0
        for first, last in periods:
            total += self.number(last) - self.number(first) + 1
            if self.bug == "days-off-by-one-over-new-year" and first[0] < last[0]:
                total -= 1
        return total

    def is_off(self, periods: tuple[Period, ...], day: Day) -> bool:
        """Whether a day is in one of the periods, by halving."""
        low, high = 0, len(periods)
        while low < high:
            middle = (low + high) // 2
            first, last = periods[middle]
            inside = first <= day <= last
            if self.bug == "off-excludes-last-day" and middle:
                inside = first <= day < last
            if self.bug == "off-compares-month-and-day" and first[0] != last[0]:
                inside = first[1:] <= day[1:] <= last[1:] and first[0] <= day[0] <= last[0]
            if inside:
                return True
            if day < first:
                high = middle
            else:
                low = middle + 1
        return False

    def workday(self, periods: tuple[Period, ...], day: Day) -> Day:
        """Return the first day from a day on that is in none of the periods."""
        for first, last in periods:
            if first <= day <= last:
                if self.bug == "workday-is-last-day-off" and first == day:
                    return last
                day = self.next(last)
                if self.bug == "workday-skips-a-day" and last[2] == self.length(last[0], last[1]) == 31:
                    day = self.next(day)
        return day

    def take_off(self, periods: tuple[Period, ...], day: Day) -> tuple[Period, ...]:
        """Return the periods with one more day; those that touch become one."""
        made: list[Period] = []
        first = last = day
        for begin, end in periods:
            if self.next(end) < first or (self.bug == "take-off-leaves-touching" and end < first):
                made.append((begin, end))
            elif self.next(last) < begin:
                if self.bug == "take-off-joins-once" and first < day:
                    last = day
                made.append((begin, end))
            else:
                first = min(first, begin)
                last = max(last, end) if self.bug != "take-off-shortens" else end
                if self.bug == "take-off-forgets-first" and last == day:
                    first = begin if begin[1] == day[1] else day
        if self.bug == "take-off-appends":
            return (*made, (first, last))
        return tuple(sorted([*made, (first, last)]))


def number_of_day(calendar: Calendar, value: Input) -> bool:
    """Days are numbered as Python numbers them."""
    return calendar.number(value[1]) == date(*value[1]).toordinal()


def next_day(calendar: Calendar, value: Input) -> bool:
    """The next day of the end of each period is right."""
    return all(calendar.next(day) == moved(day, 1) for day in (value[1], *(last for _, last in value[0])))


def months_later(calendar: Calendar, value: Input) -> bool:
    """Months later, it is the same day, or the last day of the month."""
    _, (year, month, day), months = value
    place = 12 * year + month - 1 + months
    later, ends = (place // 12, place % 12 + 1), ((place + 1) // 12, (place + 1) % 12 + 1)
    last = (date(*ends, 1) - timedelta(1)).day
    return calendar.add_months(value[1], months) == (*later, min(day, last))


def week_of_day(calendar: Calendar, value: Input) -> bool:
    """Weeks are numbered as Python numbers them."""
    return calendar.week(value[1]) == tuple(date(*value[1]).isocalendar())[:2]


def days_off_count(calendar: Calendar, value: Input) -> bool:
    """The days of all periods are counted."""
    return calendar.days_off(value[0]) == days_of(value[0])


def is_off_inside(calendar: Calendar, value: Input) -> bool:
    """A day is off if a period has it, and so are the ends of all periods."""
    periods, day, _ = value
    ends = [end for period in periods for end in period]
    return calendar.is_off(periods, day) == any(first <= day <= last for first, last in periods) and all(
        calendar.is_off(periods, end) for end in ends
    )


def workday_is_free(calendar: Calendar, value: Input) -> bool:
    """The first workday is free, and all days before it are off."""
    periods, day, _ = value
    expected = day
    for first, last in periods:
        if first <= expected <= last:
            expected = moved(last, 1)
    return calendar.workday(periods, day) == expected


def take_off_days(calendar: Calendar, value: Input) -> bool:
    """One more day off leaves periods that do not touch, with that day and no other."""
    periods, day, _ = value
    made = calendar.take_off(periods, day)
    off = any(first <= day <= last for first, last in periods)
    kept = all(any(a <= first and last <= b for a, b in made) for first, last in (*periods, (day, day)))
    return are_apart(made) and days_of(made) == days_of(periods) + (not off) and kept


def are_apart(periods: tuple[Period, ...]) -> bool:
    """Whether periods are in order, and at least a day lies between them."""
    return all(first <= last for first, last in periods) and all(
        moved(one[1], 1) < other[0] for one, other in pairwise(periods)
    )


def valid(value: Input) -> bool:
    """Whether all days exist, and there are periods that do not touch."""
    periods, day, _ = value
    days = [day, *(end for period in periods for end in period)]
    return len(periods) > 0 and all(map(exists, days)) and are_apart(periods)


def generator(choose: Choose) -> Input:
    """Make any periods, a day, and a number of months."""
    count = choose(range(MOST + 1))
    periods = tuple((some_day(choose), some_day(choose)) for _ in range(count))
    return periods, some_day(choose), choose(STEPS)


def some_day(choose: Choose) -> Day:
    """Make any three numbers."""
    return choose(YEARS), choose(MONTHS), choose(DAYS)


def handwritten(random: Random) -> Input:
    """Take periods near the ends of months and years."""
    while True:
        month, rest = random.choice((1, 2, 2, 3, 11, 12)), random.choice((1, 2, 28, 29, 30, 31))
        day = (random.choice(YEARS), month, rest)
        if not exists(day):
            continue
        made: list[Period] = []
        first = moved(day, random.randint(-40, 1))
        for _ in range(random.randint(1, MOST)):
            last = moved(first, random.choice((0, 0, 1, 5, 30)))
            made.append((first, last))
            first = moved(last, random.choice((2, 2, 3, 12)))
        if random.random() < 0.5:
            day = moved(random.choice(random.choice(made)), random.randint(-1, 1))
        return tuple(made), day, random.choice((*STEPS, -12, 12, 12))


DATES = st.tuples(st.sampled_from(YEARS), st.integers(MONTHS[0], MONTHS[-1]), st.integers(DAYS[0], DAYS[-1]))

WORKLOAD = Workload(
    "calendar",
    Calendar,
    generator,
    st.tuples(
        st.lists(st.tuples(DATES, DATES), max_size=MOST).map(tuple),
        DATES,
        st.integers(STEPS[0], STEPS[-1]),
    ),
    valid,
    {
        "leap-every-fourth": (workday_is_free, take_off_days),
        "leap-never-in-centuries": (workday_is_free, take_off_days),
        "number-counts-this-year": (week_of_day, days_off_count),
        "number-leap-day-from-february": (week_of_day, days_off_count),
        "next-stays-in-year": (workday_is_free, take_off_days),
        "months-truncate": (months_later,),
        "months-december-is-next-year": (months_later,),
        "months-clamp-by-old-year": (months_later,),
        "months-clamp-to-thirty": (months_later,),
        "months-keep-last-day": (months_later,),
        "week-of-own-year": (week_of_day,),
        "week-never-of-next-year": (week_of_day,),
        "week-counts-from-monday": (week_of_day,),
        "days-off-by-one-over-new-year": (days_off_count,),
        "off-excludes-last-day": (is_off_inside,),
        "off-compares-month-and-day": (is_off_inside,),
        "workday-is-last-day-off": (workday_is_free,),
        "workday-skips-a-day": (workday_is_free,),
        "take-off-leaves-touching": (take_off_days,),
        "take-off-joins-once": (take_off_days,),
        "take-off-shortens": (take_off_days,),
        "take-off-forgets-first": (take_off_days,),
        "take-off-appends": (take_off_days,),
    },
    handwritten,
    held_out=True,
)
