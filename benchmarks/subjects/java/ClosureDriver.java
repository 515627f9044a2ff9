import com.google.javascript.jscomp.CompilationLevel;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.SourceFile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.logging.Level;

/** Closure optimises a program. */
public final class ClosureDriver extends Driver {
    private final SourceFile externs = SourceFile.fromCode("externs", "");

    /** Warnings are of no interest. */
    public ClosureDriver() {
        Compiler.setLoggingLevel(Level.OFF);
    }

    @Override
    protected boolean accepts(String text) {
        Compiler compiler = new Compiler(new PrintStream(new ByteArrayOutputStream(), false));
        compiler.disableThreads();
        CompilerOptions options = new CompilerOptions();
        CompilationLevel.SIMPLE_OPTIMIZATIONS.setOptionsForCompilationLevel(options);
        return compiler.compile(externs, SourceFile.fromCode("input", text), options).success;
    }
}
