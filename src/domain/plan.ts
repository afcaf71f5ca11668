/** Plans are data: what an organization may use in an hour and in a month. */

export interface Plan {
  name: string;
  creditsPerMonth: number;
  requestsPerHour: number;
}

/** The first organization starts on this one (docs/api.md). */
export const defaultPlan: Plan = { name: "team", creditsPerMonth: 1000, requestsPerHour: 5000 };

/** Requests per hour for a client address without a valid key. */
export const anonymousRequestsPerHour = 1000;
