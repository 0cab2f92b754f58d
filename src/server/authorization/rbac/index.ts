/**
 * Role based access control: roles and bindings in an index by subject that follows the stores, the decisions made from
 * it, and the check that nobody grants more than they have.
 */
export { EscalationCheck } from './escalation.ts';
export { RbacAuthorizer } from './rbac-authorizer.ts';
