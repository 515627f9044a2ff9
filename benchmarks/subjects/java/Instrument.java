import java.io.FileOutputStream;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Copies a jar; in the copy, classes of a package call Hits for each way that a branch goes.
 *
 * <p>The copy has no stack maps, which new labels would need: run it with -XX:-BytecodeVerificationRemote.
 */
public final class Instrument {
    private int branches;

    /** `java Instrument FROM.jar TO.jar org/example/`. */
    public static void main(String[] arguments) throws Exception {
        new Instrument().copy(arguments[0], arguments[1], arguments[2]);
    }

    private void copy(String from, String to, String within) throws Exception {
        try (ZipFile in = new ZipFile(from);
                ZipOutputStream out = new ZipOutputStream(new FileOutputStream(to))) {
            for (ZipEntry entry : Collections.list(in.entries())) {
                byte[] data = in.getInputStream(entry).readAllBytes();
                boolean wanted = entry.getName().startsWith(within) && entry.getName().endsWith(".class");
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(wanted ? instrument(data) : data);
            }
        }
        System.out.println(to + ": " + branches + " branches");
    }

    private byte[] instrument(byte[] data) {
        int before = branches;
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
                return new Noting(super.visitMethod(access, name, type, generic, thrown));
            }
        };
        new ClassReader(data).accept(visitor, ClassReader.SKIP_FRAMES);
        try {
            return writer.toByteArray();
        } catch (MethodTooLargeException unchanged) {
            branches = before;
            return data;
        }
    }

    /** Leads every jump past a call of Hits, and every fall through. */
    private final class Noting extends MethodVisitor {
        Noting(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        private void note() {
            super.visitLdcInsn(branches++);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "Hits", "hit", "(I)V", false);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            note();
        }

        @Override
        public void visitJumpInsn(int opcode, Label target) {
            if (opcode == Opcodes.GOTO || opcode == Opcodes.JSR) {
                super.visitJumpInsn(opcode, target);
                return;
            }
            Label past = new Label();
            super.visitJumpInsn(opposite(opcode), past);
            note();
            super.visitJumpInsn(Opcodes.GOTO, target);
            super.visitLabel(past);
            note();
        }

        @Override
        public void visitTableSwitchInsn(int low, int high, Label other, Label... targets) {
            Label[] mine = labels(targets.length);
            Label past = new Label();
            super.visitTableSwitchInsn(low, high, past, mine);
            lead(mine, targets, past, other);
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] targets) {
            Label[] mine = labels(targets.length);
            Label past = new Label();
            super.visitLookupSwitchInsn(past, keys, mine);
            lead(mine, targets, past, other);
        }

        private void lead(Label[] mine, Label[] targets, Label past, Label other) {
            for (int place = 0; place < mine.length; place++) {
                lead(mine[place], targets[place]);
            }
            lead(past, other);
        }

        private void lead(Label from, Label to) {
            super.visitLabel(from);
            note();
            super.visitJumpInsn(Opcodes.GOTO, to);
        }

        private Label[] labels(int count) {
            Label[] made = new Label[count];
            for (int place = 0; place < count; place++) {
                made[place] = new Label();
            }
            return made;
        }
    }

    /** The jump that is taken when this one is not: they are numbered in pairs. */
    private static int opposite(int opcode) {
        if (opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL) {
            return opcode == Opcodes.IFNULL ? Opcodes.IFNONNULL : Opcodes.IFNULL;
        }
        return (opcode - 1 ^ 1) + 1;
    }
}
