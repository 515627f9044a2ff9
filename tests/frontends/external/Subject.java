/** A subject in Java: the draws of the vectors. */
public class Subject {
    public static void main(String[] arguments) {
        rlcheck.Guide guide = rlcheck.Guide.connect();
        java.util.List<Long> made = new java.util.ArrayList<>();
        for (long n : new long[] {6, 2, 1, 1000000, 9007199254740992L}) {
            made.add(guide.draw(n));
        }
        System.out.println(made);
        guide.end("pass");
    }
}
