/** Makes jobs of cron jobs at their times, and deletes old ones. It looks every ten seconds, and starts only the latest time of several. */
export { cronJobController } from './cron-job-controller.ts';
