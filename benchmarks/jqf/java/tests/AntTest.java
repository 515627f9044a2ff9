import edu.berkeley.cs.jqf.examples.common.Dictionary;
import edu.berkeley.cs.jqf.examples.xml.XMLDocumentUtils;
import edu.berkeley.cs.jqf.examples.xml.XmlDocumentGenerator;
import edu.berkeley.cs.jqf.fuzz.Fuzz;
import edu.berkeley.cs.jqf.fuzz.JQF;
import com.pholser.junit.quickcheck.From;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.tools.ant.BuildException;
import org.apache.tools.ant.Project;
import org.apache.tools.ant.helper.ProjectHelperImpl;
import org.junit.runner.RunWith;
import org.w3c.dom.Document;

/** Ant reads a build file. It must never be ProjectHelper.configureProject, which executes top-level tasks. */
@RunWith(JQF.class)
public class AntTest extends Subject {
    /** The parser reads files only. */
    private final Path path = Path.of(System.getProperty("java.io.tmpdir"), "build.xml");

    @Fuzz
    public void test(@From(XmlDocumentGenerator.class) @Dictionary("ant.dict") Document document) throws Throwable {
        check(XMLDocumentUtils.documentToString(document).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected boolean accepts(byte[] input) throws Throwable {
        Files.write(path, input);
        try {
            new ProjectHelperImpl().parse(new Project(), path.toFile());
        } catch (BuildException rejected) {
            return false;
        }
        return true;
    }
}
