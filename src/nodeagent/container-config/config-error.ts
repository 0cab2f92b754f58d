/**
 * A pod asks for what a sandbox or container cannot be made with. The message is release 1.20's; containers wait with
 * it and reason `CreateContainerConfigError` until what they refer to changes.
 */
export class ContainerConfigError extends Error {
  override readonly name = 'ContainerConfigError';
}
