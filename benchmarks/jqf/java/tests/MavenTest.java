import edu.berkeley.cs.jqf.examples.common.Dictionary;
import edu.berkeley.cs.jqf.examples.xml.XMLDocumentUtils;
import edu.berkeley.cs.jqf.examples.xml.XmlDocumentGenerator;
import edu.berkeley.cs.jqf.fuzz.Fuzz;
import edu.berkeley.cs.jqf.fuzz.JQF;
import com.pholser.junit.quickcheck.From;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.maven.model.io.DefaultModelReader;
import org.junit.runner.RunWith;
import org.w3c.dom.Document;

/** Maven's model reader reads a project file. */
@RunWith(JQF.class)
public class MavenTest extends Subject {
    @Fuzz
    public void test(@From(XmlDocumentGenerator.class) @Dictionary("maven.dict") Document document) throws Throwable {
        check(XMLDocumentUtils.documentToString(document).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected boolean accepts(byte[] input) {
        try {
            return new DefaultModelReader().read(new ByteArrayInputStream(input), null) != null;
        } catch (IOException rejected) {
            return false;
        }
    }
}
