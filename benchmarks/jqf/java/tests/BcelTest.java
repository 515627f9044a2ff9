import edu.berkeley.cs.jqf.examples.bcel.JavaClassGenerator;
import edu.berkeley.cs.jqf.fuzz.Fuzz;
import edu.berkeley.cs.jqf.fuzz.JQF;
import com.pholser.junit.quickcheck.From;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.bcel.Repository;
import org.apache.bcel.classfile.ClassFormatException;
import org.apache.bcel.classfile.ClassParser;
import org.apache.bcel.classfile.JavaClass;
import org.apache.bcel.verifier.VerificationResult;
import org.apache.bcel.verifier.Verifier;
import org.apache.bcel.verifier.VerifierFactory;
import org.junit.runner.RunWith;

/** BCEL reads a class file and verifies it, up to the code of each method. */
@RunWith(JQF.class)
public class BcelTest extends Subject {
    @Fuzz
    public void test(@From(JavaClassGenerator.class) JavaClass made) throws Throwable {
        check(made.getBytes());
    }

    @Override
    protected boolean accepts(byte[] input) throws IOException {
        JavaClass read;
        try {
            read = new ClassParser(new ByteArrayInputStream(input), "Made.class").parse();
        } catch (ClassFormatException rejected) {
            return false;
        }
        Repository.addClass(read);
        Verifier verifier = VerifierFactory.getVerifier(read.getClassName());
        verifier.flush();
        try {
            boolean good = isGood(verifier.doPass1()) && isGood(verifier.doPass2());
            for (int method = 0; good && method < read.getMethods().length; method++) {
                good = isGood(verifier.doPass3a(method));
            }
            return good;
        } finally {
            verifier.flush();
            Repository.removeClass(read);
        }
    }

    private static boolean isGood(VerificationResult result) {
        return result.getStatus() == VerificationResult.VERIFIED_OK;
    }
}
