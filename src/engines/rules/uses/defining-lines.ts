/** Whether a line of code makes a name, as far as one line tells: said too often rather than too seldom. */

const keyword =
  /(?:^|[^\w$])(?:return|new|throw|await|else|in|not|and|or|yield|assert|go|defer|if|elif|while|when|case|do|is|as|unless|typeof|instanceof|import|from|raise|print|echo|puts|default|with|except|lambda|use|match|move|ref|mut)$/;
const introduction =
  /(?:^|[^\w$])(?:def|function\*?|func|fun|fn|class|struct|record|interface|trait|enum|type|const|let|var|val|static|protocol|#\s*define|macro_rules!|alias|alias_method|typedef)\s*(?:\([^()]*\)\s*)?(?:self\.)?$/;
/** A type: `public static List<Order> `, `int *`. */
const typeBefore = /^[\w\s<>[\],.?*&:@]*[\w>\]*&?]\s+[*&]*$/;

/** `static price(` and `  price(a) {` where the language writes methods so. */
export function definesName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (/[\w$]/.test(text[at - 1] ?? "") || /[\w$]/.test(text[at + name.length] ?? "")) continue;
    if (isDefined(text.slice(0, at).slice(-300), text.slice(at + name.length).slice(0, 300))) return true;
  }
  return false;
}

function isDefined(before: string, after: string): boolean {
  if (introduction.test(before) || /^\s*(?:=(?![=>~])|:=|:(?!:)|\?:)/.test(after)) return true;
  if (!/^\s*[(<[]/.test(after)) return false;
  const start = before.trim();
  // A method in a class body, an interface or a group of Go signatures: nothing before it, a block or a type after it.
  if (/^(?:async|\*|get|set)?$/.test(start)) return isHead(after);
  return typeBefore.test(before) && !keyword.test(start) && !/^[#/*]/.test(start);
}

/** `(a, b) {`, `(a: T): R;`, `(ctx context.Context) (int, error)` */
function isHead(after: string): boolean {
  const end = closingOf(after);
  if (end < 0) return false;
  const rest = after.slice(end + 1).trim();
  return /^(?::|\{|\(|->|throws\b)/.test(rest) || /^[\w*[\].]+(?:\s*\{)?$/.test(rest);
}

/** Where the first parenthesis is closed; -1 where it is not on this line. */
function closingOf(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") open += 1;
    else if (text[at] === ")") {
      open -= 1;
      if (open <= 0) return at;
    }
  }
  return -1;
}

/** Methods are called on something: a line that starts with the name announces one, in an interface or a class. */
export function announcesMethod(text: string, name: string): boolean {
  const line = text.trimStart();
  return line.startsWith(name) && /^\s*[(<]/.test(line.slice(name.length));
}
