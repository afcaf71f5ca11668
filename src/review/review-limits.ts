/** Every limit of a review in one place. Whatever a limit leaves out, the review's summary says so. */

const second = 1_000;
const minute = 60 * second;

export const reviewLimits = {
  /** One attempt at a review, the fetching included, before it fails with `timed_out`; milliseconds. */
  reviewMs: 15 * minute,
  /** One engine's share of it; milliseconds. */
  engineMs: 5 * minute,
  /** Files read; GitHub lists no more of a pull request either. */
  files: 3_000,
  /** Added and removed lines of one file. */
  changedLinesOfFile: 10_000,
  /** Added and removed lines of all files read. */
  changedLines: 100_000,
  /** Comments of one review. */
  comments: 50,
  /** Bytes of files kept at hand between the engines and the verification. */
  rememberedBytes: 32 * 1024 * 1024,
};

export type ReviewLimits = typeof reviewLimits;
