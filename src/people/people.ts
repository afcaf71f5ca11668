/** The people of an organization: who they are, and how they prove it. better-auth is known in this folder and nowhere else. */

export interface People {
  /** An organization whose owner is missing is one whose set-up was cut short. */
  hasOwner(): Promise<boolean>;
  /**
   * Makes the person unless they are there, sets their password, and makes them an owner. Repeating it changes nothing else.
   * Errors: AppError `validation_failed` for a bad e-mail address or password.
   */
  makeOwner(owner: { organizationId: string; email: string; password: string }): Promise<{ userId: string }>;
  /** Null for an unknown person and for a wrong password, after the same time. Errors: AppError `rate_limited`. */
  checkPassword(email: string, password: string): Promise<{ userId: string } | null>;
}
