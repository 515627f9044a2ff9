"""XML documents of the words of build files, which Ant and Maven's model reader have to accept."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.subjects.install import CLASSES, FOLDER
from benchmarks.subjects.subject import Subject
from benchmarks.subjects.virtual_machine import Program
from rlcheck.generators import Choose, Generator

# No task that writes, deletes or runs anything: Ant is only asked to parse, and this is the second lock.
ANT_WORDS = """
    project target property description path classpath pathelement fileset dirset filelist patternset
    include exclude includes excludes filterset filter filterchain mapper regexp substitution selector and
    or not equals isset istrue isfalse contains available uptodate condition fail echo import macrodef
    presetdef taskdef typedef reference param arg env sysproperty jvmarg id refid name value file dir
    location default basedir depends if unless message level classname resource prefix environment url
    format pattern tstamp dirname basename length resourcecount union intersect sort first last restrict
    string tokens zipfileset tarfileset propertyset propertyref xmlcatalog dtd entity extension-point
    assertions enable disable bcc attribute element text sequential implicit optional depth size date
    present type different modified true false main build compile all . src
""".split()
MAVEN_WORDS = """
    project modelVersion parent groupId artifactId version relativePath packaging name description url
    inceptionYear organization licenses license distribution comments developers developer contributors
    contributor id email roles role timezone properties mailingLists mailingList subscribe unsubscribe
    post archive otherArchives otherArchive prerequisites maven modules module scm connection
    developerConnection tag issueManagement system ciManagement notifiers notifier type sendOnError
    sendOnFailure address configuration distributionManagement repository snapshotRepository site
    downloadUrl relocation status layout uniqueVersion repositories pluginRepositories pluginRepository
    releases snapshots enabled updatePolicy checksumPolicy dependencyManagement dependencies dependency
    classifier scope systemPath exclusions exclusion optional build sourceDirectory scriptSourceDirectory
    testSourceDirectory outputDirectory testOutputDirectory extensions extension defaultGoal resources
    resource targetPath filtering directory includes include excludes exclude testResources testResource
    finalName filters filter pluginManagement plugins plugin executions execution phase goals goal
    inherited reporting excludeDefaults reportPlugins reportPlugin reportSets reportSet reports report
    profiles profile activation activeByDefault jdk os family arch property value file exists missing
    combine.children combine.self 4.0.0 1.0 true false jar test xmlns
""".split()


def documents(words: Sequence[str]) -> Generator[str]:
    """What makes documents of some words, each of which may be a tag, an attribute or text."""

    def element(choose: Choose, depth: int = 0) -> str:
        tag = choose(words)
        attributes = "".join(f' {choose(words)}="{choose(words)}"' for _ in range(choose(range(3))))
        inner = "".join(child(choose, depth) for _ in range(choose(range(5)))) if depth < 4 else ""
        return f"<{tag}{attributes}>{inner}</{tag}>" if inner else f"<{tag}{attributes}/>"

    def child(choose: Choose, depth: int) -> str:
        kind = choose(["element", "text", "cdata"])
        if kind == "element":
            return element(choose, depth + 1)
        text = choose(words)
        return f"<![CDATA[{text}]]>" if kind == "cdata" else text

    return element


def _subject(name: str, words: Sequence[str]) -> Subject:
    program = Program(name)
    needs = ("jpype", FOLDER / "java.done", CLASSES)
    return Subject(name, documents(words), program, coverage=program.coverage, needs=needs)


SUBJECTS = (_subject("ant", ANT_WORDS), _subject("maven", MAVEN_WORDS))
