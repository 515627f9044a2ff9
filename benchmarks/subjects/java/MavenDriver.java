import java.io.StringReader;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;

/** Maven's model reader reads a project file, and knows every element it may hold. */
public final class MavenDriver extends Driver {
    @Override
    protected boolean accepts(String text) throws Exception {
        try {
            new MavenXpp3Reader().read(new StringReader(text));
        } catch (XmlPullParserException rejected) {
            return reject(rejected);
        }
        return true;
    }
}
