/** The wire shape of repositories (specification §2). */
import { type Static, Type } from "@sinclair/typebox";
import type { RepositoryWithCounts } from "../../domain/repository.ts";
import { closed, Nullable, RepositoryNameShown } from "./building-blocks.ts";
import { Timestamp } from "./kinds.ts";

export const Repository = Type.Object(
  {
    id: Type.String({
      pattern: "^repo_",
      description: "Identifies the repository.",
      examples: ["repo_01JD8Y3Q2M9V4T6B7N8P0R1S2T"],
    }),
    name: RepositoryNameShown,
    auto_review: Type.Boolean({
      description: "Whether new pull requests are reviewed without being asked for.",
    }),
    reviews_count: Type.Integer({ minimum: 0, description: "Reviews so far.", examples: [12] }),
    last_review_at: Nullable(Timestamp("When the last one was asked for; null without any.")),
  },
  {
    ...closed,
    $id: "Repository",
    description: "A repository on which Plumbline is enabled (specification §2).",
  },
);

export const RepositoryList = Type.Object(
  { data: Type.Array(Repository) },
  { ...closed, $id: "RepositoryList", description: "All enabled repositories, by name." },
);

export function toRepository(repository: RepositoryWithCounts): Static<typeof Repository> {
  return {
    id: repository.id,
    name: repository.name,
    auto_review: repository.autoReview,
    reviews_count: repository.reviewsCount,
    last_review_at: repository.lastReviewAt?.toISOString() ?? null,
  };
}
