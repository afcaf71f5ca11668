/** Names that a file declares as numbers, and nowhere as anything else: no quote gets into SQL through them. */
import { field, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { within } from "./within.ts";

const declarations =
  /^(formal_parameter|parameter|parameter_declaration|required_parameter|optional_parameter|typed_parameter|typed_default_parameter|local_variable_declaration|variable_declaration|field_declaration)$/;
const numbers =
  /^:?\s*(u?int\d*|u?long|short|byte|number|float(32|64)?|double|decimal|bool(ean)?|Integer|Long|Short|Double|Boolean|BigDecimal|Guid|UUID|uuid\.UUID|DateTime|LocalDate|Instant|time\.(Time|Duration))\??$/;

export function numberNames(code: PlainNode): ReadonlySet<string> {
  const [found, others] = [new Set<string>(), new Set<string>()];
  for (const node of within(code)) {
    if (!declarations.test(node.type)) continue;
    const type = field(node, "type")?.text ?? "";
    for (const name of namesOf(node)) (numbers.test(type) ? found : others).add(name);
  }
  return found.difference(others);
}

function namesOf(node: PlainNode): string[] {
  const declarators = ofType(node, "variable_declarator").map((one) => field(one, "name"));
  const named = node.children.filter(({ field: role }) => role === "name" || role === "pattern");
  const first = node.type === "typed_parameter" ? node.children.slice(0, 1) : [];
  return [...declarators, ...named, ...first].flatMap((name) =>
    name?.type === "identifier" ? [name.text] : [],
  );
}
