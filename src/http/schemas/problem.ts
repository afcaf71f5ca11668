/** The wire shape of errors (RFC 9457). */
import { Type } from "@sinclair/typebox";
import { closed } from "./building-blocks.ts";

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
