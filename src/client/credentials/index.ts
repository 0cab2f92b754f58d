/**
 * Credentials that a program on this machine gives out (`users[].user.exec` of a client configuration). It reads no
 * configuration and opens no connection. Source: client-go, `plugin/pkg/client/auth/exec`.
 */
export { type ExecContext, obtainExecCredentials } from './exec-plugin.ts';
