/** Pieces that several schemas are made of. */
import { type TSchema, Type } from "@sinclair/typebox";

const timestampExample = "2026-11-21T09:30:00.000Z";

export function Timestamp(description: string) {
  return Type.String({ format: "date-time", description, examples: [timestampExample] });
}

export function Nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** The body of a 304. */
export const Unchanged = Type.Undefined();

/** An object in an answer: all fields declared, all present. */
export const closed = { additionalProperties: false };

export const ListMeta = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: "Results over all pages.", examples: [42] }),
    page: Type.Integer({ minimum: 1, description: "This page, counted from 1.", examples: [1] }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: 100,
      description: "Results a page: `limit`.",
      examples: [20],
    }),
  },
  { ...closed, $id: "ListMeta", description: "Where in a list this page is (specification §2)." },
);

export const Problem = Type.Object(
  {
    type: Type.String({
      format: "uri",
      description: "A page that explains the code, served by Plumbline itself.",
    }),
    title: Type.String({ description: "The kind of error in a few words." }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: "The HTTP status." }),
    detail: Type.String({ description: "What happened this time, for a person." }),
    instance: Type.String({ description: "The path that was asked for." }),
    code: Type.String({ description: "The stable name of the error; programs branch on it." }),
    request_id: Type.String({ description: "Also in the header X-Request-Id and in the log." }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({ description: "JSON Pointer to the field, or the parameter's name." }),
            code: Type.String({ description: "Stable, such as `required` or `unknown_field`." }),
            message: Type.String({ description: "What is expected there." }),
          },
          closed,
        ),
        { description: "With `validation_failed`: everything that is wrong, at most 20." },
      ),
    ),
  },
  { ...closed, $id: "Problem", description: "An error (RFC 9457)." },
);
