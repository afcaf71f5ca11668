/** Compares answers with what the OpenAPI document says of them. */
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { type ApiDocument, type DocumentedOperation, resolveIn } from "./document-requests.ts";

interface DocumentedAnswer {
  $ref?: string;
  content?: Record<string, { schema: object }>;
}

const validators = new WeakMap<ApiDocument, Ajv2020>();

function validatorFor(document: ApiDocument): Ajv2020 {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema(document, "document");
  validators.set(document, ajv);
  return ajv;
}

/** Empty when status, content type and body are as documented. */
export function problemsWith(
  document: ApiDocument,
  operation: DocumentedOperation,
  answer: Response,
  text: string,
): unknown[] {
  const documented = operation.responses[String(answer.status)] as DocumentedAnswer | undefined;
  if (documented === undefined) return [`status ${answer.status} is not documented: ${text}`];
  const { content } = resolveIn(document, documented) as DocumentedAnswer;
  if (content === undefined) return text === "" ? [] : ["a body is not documented"];
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  const schema = content[type]?.schema;
  if (schema === undefined) return [`content type ${type} is not documented`];
  if (!type.endsWith("json")) return [];
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  const ajv = validatorFor(document);
  return ajv.validate(absolute, JSON.parse(text)) ? [] : (ajv.errors ?? []);
}
