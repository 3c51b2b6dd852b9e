import com.sun.source.doctree.*;
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

/**
 * The JDK's own reading of a folder of sources: every declaration that callers can name, with the words of its comment.
 *
 * <p>One line a declaration: symbol, a tab, kind, a tab, the description as text on one line. Only the parser runs, so
 * missing dependencies do not matter. {@code java DocOracle.java FOLDER}
 */
public class DocOracle {
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        List<Path> paths;
        try (Stream<Path> walked = Files.walk(Path.of(arguments[0]))) {
            paths = walked.filter(p -> p.toString().endsWith(".java") && !p.toString().contains("META-INF")).sorted().collect(Collectors.toList());
        }
        JavacTask task = (JavacTask) compiler.getTask(Writer.nullWriter(), files, d -> { }, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(paths));
        DocTrees docs = DocTrees.instance(task);
        for (CompilationUnitTree unit : task.parse()) {
            String home = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
            if (unit.getSourceFile().getName().endsWith("package-info.java") && unit.getPackage() != null) {
                print(home, "package", docs, TreePath.getPath(unit, unit.getPackage()));
            }
            for (Tree each : unit.getTypeDecls()) {
                if (each instanceof ClassTree) type((ClassTree) each, home, unit, docs, null);
            }
        }
        OUT.flush();
    }

    private static void type(ClassTree type, String outer, CompilationUnitTree unit, DocTrees docs, ClassTree around) {
        boolean inInterface = around != null && isInterface(around);
        if (!isVisible(type.getModifiers(), inInterface, around)) return;
        String symbol = outer.isEmpty() ? type.getSimpleName().toString() : outer + "." + type.getSimpleName();
        print(symbol, "class", docs, TreePath.getPath(unit, type));
        for (Tree member : type.getMembers()) {
            if (member instanceof ClassTree) {
                type((ClassTree) member, symbol, unit, docs, type);
            } else if (member instanceof MethodTree) {
                MethodTree method = (MethodTree) member;
                boolean isConstructor = method.getName().contentEquals("<init>");
                // The parser adds a default constructor that nobody wrote; it has no position of its own.
                if (docs.getSourcePositions().getEndPosition(unit, method) < 0) continue;
                if (isVisible(method.getModifiers(), isInterface(type), type))
                    print(symbol + "." + (isConstructor ? type.getSimpleName() : method.getName()), isConstructor ? "constructor" : "method", docs, TreePath.getPath(unit, method));
            } else if (member instanceof VariableTree) {
                VariableTree field = (VariableTree) member;
                boolean isConstant = type.getKind() == Tree.Kind.ENUM && field.getModifiers().getFlags().containsAll(Set.of(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL));
                if (isConstant || isVisible(field.getModifiers(), isInterface(type), type))
                    print(symbol + "." + field.getName(), "field", docs, TreePath.getPath(unit, field));
            }
        }
    }

    private static boolean isInterface(ClassTree type) {
        return type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE;
    }

    private static boolean isVisible(ModifiersTree modifiers, boolean inInterface, ClassTree around) {
        Set<Modifier> flags = modifiers.getFlags();
        if (flags.contains(Modifier.PRIVATE)) return false;
        boolean isOpen = around != null && !around.getModifiers().getFlags().contains(Modifier.FINAL);
        return inInterface || flags.contains(Modifier.PUBLIC) || (flags.contains(Modifier.PROTECTED) && isOpen);
    }

    private static void print(String symbol, String kind, DocTrees docs, TreePath path) {
        DocCommentTree comment = docs.getDocCommentTree(path);
        StringBuilder text = new StringBuilder();
        if (comment != null) new Flattener(text).scan(comment.getFullBody(), null);
        OUT.println(symbol + "\t" + kind + "\t" + (comment == null ? "" : text.toString().replaceAll("\\s+", " ").trim()));
    }

    /** The words of a comment, as a reader of the page would see them. */
    private static final class Flattener extends DocTreeScanner<Void, Void> {
        private final StringBuilder text;

        private static final Set<String> INLINE = Set.of("a", "b", "i", "em", "strong", "code", "tt", "sup", "sub", "u", "small", "span", "var", "font", "big", "samp", "kbd", "cite", "dfn", "s");

        private void space(String name) {
            if (!INLINE.contains(name.toLowerCase(Locale.ROOT))) text.append(' ');
        }

        Flattener(StringBuilder text) { this.text = text; }

        @Override public Void visitText(TextTree node, Void none) { text.append(node.getBody()); return null; }
        @Override public Void visitLiteral(com.sun.source.doctree.LiteralTree node, Void none) { text.append(node.getBody().getBody()); return null; }
        @Override public Void visitStartElement(StartElementTree node, Void none) { space(node.getName().toString()); return null; }
        @Override public Void visitEndElement(EndElementTree node, Void none) { space(node.getName().toString()); return null; }
        @Override public Void visitComment(CommentTree node, Void none) { return null; }
        @Override public Void visitEntity(EntityTree node, Void none) { text.append('&').append(node.getName()).append(';'); return null; }
        @Override public Void visitErroneous(com.sun.source.doctree.ErroneousTree node, Void none) { text.append(node.getBody()); return null; }
        @Override public Void visitInheritDoc(InheritDocTree node, Void none) { text.append("{@inheritDoc}"); return null; }
        @Override public Void visitUnknownInlineTag(UnknownInlineTagTree node, Void none) { return scan(node.getContent(), none); }
        @Override public Void visitReference(ReferenceTree node, Void none) { text.append(node.getSignature()); return null; }

        @Override public Void visitLink(LinkTree node, Void none) {
            if (node.getLabel().isEmpty()) text.append(node.getReference().getSignature()); else scan(node.getLabel(), none);
            return null;
        }
    }
}
