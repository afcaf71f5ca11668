/** What a webhook about a review says (specification §6). The text made here is stored, signed and sent as it is. */
import type { Review } from "../domain/review.ts";
import { type ReviewEventName, testReviewId } from "../domain/webhook.ts";

/** Receivers commonly refuse more than 256 KB. */
const bodyBytesMax = 256 * 1024 - 1;

/**
 * UTF-8 JSON, under 256 KB: a summary that would make it larger is cut, and says so. What the event does not know yet is
 * null: a started review has no summary, a failed one no comments.
 */
export function reviewEventBody(
  event: ReviewEventName,
  review: Review,
  about: { at: Date; url: string },
): string {
  const completed = event === "review.completed";
  const data = {
    review_id: review.id,
    repository: review.repository,
    pull_request: review.pullRequest,
    comments_count: completed ? review.commentsCount : null,
    summary: completed ? review.summary : null,
    url: about.url,
    ...(event === "review.failed" ? { error: review.failure } : {}),
  };
  return fitted({ event, timestamp: about.at.toISOString(), data });
}

/** The example that a test delivery sends: a completed review that never was, marked by `data.test`. */
export function testEventBody(about: { at: Date; url: string }): string {
  return JSON.stringify({
    event: "review.completed" satisfies ReviewEventName,
    timestamp: about.at.toISOString(),
    data: {
      review_id: testReviewId,
      repository: "example/repository",
      pull_request: 1,
      comments_count: 0,
      summary: "This is a test delivery. No review took place.",
      url: about.url,
      test: true,
    },
  });
}

interface EventBody {
  event: ReviewEventName;
  timestamp: string;
  data: { summary: string | null; url: string };
}

function fitted(body: EventBody): string {
  const whole = JSON.stringify(body);
  if (Buffer.byteLength(whole) <= bodyBytesMax || body.data.summary === null) return whole;

  const notice = `… (cut here: the whole summary is at ${body.data.url})`;
  const withSummary = (summary: string) => JSON.stringify({ ...body, data: { ...body.data, summary } });
  const room = bodyBytesMax - Buffer.byteLength(withSummary(notice));
  return withSummary(leading(body.data.summary, room) + notice);
}

/** The longest start of `text` that takes at most `bytes` as a part of a JSON string. */
function leading(text: string, bytes: number): string {
  let used = 0;
  let length = 0;
  for (const character of text) {
    used += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (used > bytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}
