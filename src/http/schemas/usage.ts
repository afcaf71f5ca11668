/** The wire shape of usage and credits (specification §2). */
import { Type } from "@sinclair/typebox";
import { closed } from "./building-blocks.ts";
import { Timestamp } from "./kinds.ts";

export const Usage = Type.Object(
  {
    credits: Type.Object(
      {
        remaining: Type.Integer({ minimum: 0, description: "Neither used nor reserved.", examples: [958] }),
        total: Type.Integer({ minimum: 0, description: "Granted for this month.", examples: [1000] }),
        resets_at: Timestamp("The first instant of the next UTC month."),
      },
      closed,
    ),
    usage: Type.Object(
      {
        reviews_this_month: Type.Integer({
          minimum: 0,
          description: "Reviews created, superseded ones left out.",
          examples: [42],
        }),
        tokens_used: Type.Integer({
          minimum: 0,
          description: "Tokens of a language model this month.",
          examples: [0],
        }),
        avg_review_time_seconds: Type.Integer({
          minimum: 0,
          description: "Mean duration of this month's completed reviews.",
          examples: [4],
        }),
      },
      closed,
    ),
  },
  { ...closed, $id: "Usage", description: "Credits and use of the current UTC month (specification §2)." },
);
