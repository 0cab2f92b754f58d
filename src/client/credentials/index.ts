/**
 * Credentials that do not stand in a client configuration: those that a program on this machine gives out
 * (`users[].user.exec`) and ID tokens of an OpenID Connect provider (`users[].user.auth-provider`), which are kept until
 * they expire or a server refuses them. Source: client-go, `plugin/pkg/client/auth`.
 */
export { createCredentialTransport } from './credential-transport.ts';
export { type CredentialContext, obtainConnection, openCredentials } from './open-credentials.ts';
