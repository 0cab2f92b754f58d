/** Exit codes of all programs. */
export const exitCodes = {
  success: 0,
  /** The command failed. */
  failure: 1,
  /** The command line or configuration is wrong. */
  usage: 2,
} as const;
