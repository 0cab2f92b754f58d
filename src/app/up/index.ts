/**
 * `orch up`: a whole cluster on one machine. Server (with controllers and scheduler) and node agent run as processes of
 * their own below one supervisor, which joins the machine to the server, starts what ends again, and stops them in order.
 */
export { runDown } from './run-down.ts';
export { runUp } from './run-up.ts';
