/** Pieces that several schemas are made of. */
import { type TSchema, Type } from "@sinclair/typebox";

export function Nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** Of an address that takes no parameters. */
export const NoParameters = Type.Object({}, { additionalProperties: false });

/** The body of a 304. */
export const Unchanged = Type.Undefined();

/** An object in an answer: all fields declared, all present. */
export const closed = { additionalProperties: false };

/** `owner/repo` in an answer. */
export const RepositoryNameShown = Type.String({ description: "`owner/repo`", examples: ["acme/shop"] });

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
