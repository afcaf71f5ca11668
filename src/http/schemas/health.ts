/** The wire shape of /healthz and /readyz. */
import { Type } from "@sinclair/typebox";
import { closed } from "./building-blocks.ts";
import { OneOf } from "./kinds.ts";

export const Health = Type.Object(
  { status: OneOf(["ok"]) },
  { ...closed, $id: "Health", description: "The service can answer." },
);
