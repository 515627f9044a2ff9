import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.tools.ant.BuildException;
import org.apache.tools.ant.Project;
import org.apache.tools.ant.helper.ProjectHelperImpl;

/** Ant reads a build file. It must never be ProjectHelper.configureProject, which executes top-level tasks. */
public final class AntDriver extends Driver {
    private final Path path;

    /** The parser reads files only: one in memory, where there is such a folder. */
    public AntDriver() throws Exception {
        Path memory = Path.of("/dev/shm");
        Path folder = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        path = Files.createTempFile(folder, "rlcheck-", "-build.xml");
        path.toFile().deleteOnExit();
    }

    @Override
    protected boolean accepts(String text) throws Exception {
        Files.write(path, text.getBytes(StandardCharsets.UTF_8));
        try {
            new ProjectHelperImpl().parse(new Project(), path.toFile());
        } catch (BuildException rejected) {
            return reject(rejected);
        }
        return true;
    }
}
