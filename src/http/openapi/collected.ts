/** What @elysiajs/swagger makes of a route. */
import type { notesKey, RouteNotes } from "./documented.ts";
import type { JsonSchema } from "./schema.ts";

export interface CollectedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  /** The answer's schema is spread over the answer; of it only `$id` and `description` are of use. */
  responses: Record<string, { $id?: string; description?: string }>;
  [notesKey]: RouteNotes;
}
