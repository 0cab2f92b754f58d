import type { AdmissionAttributes, AdmissionOperation } from '../../registry/index.ts';

/**
 * One admission plugin. Both phases are optional; a plugin is asked only for operations that it handles. They run
 * for many requests at once, and what one keeps between them never depends on their order.
 */
export interface AdmissionPlugin {
  /** As `--enable-admission-plugins` spells it. */
  readonly name: string;
  handles(operation: AdmissionOperation): boolean;
  /** Changes the object, or refuses. @throws StatusError */
  admit?(attributes: AdmissionAttributes): Promise<void> | void;
  /** Checks the object, never changes it. @throws StatusError */
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
  /** After the mutating phase: whether it changed what others should see once more. They are asked twice at most. */
  wantsAnotherRound?(attributes: AdmissionAttributes): boolean;
  /** As `AdmissionChain` has it. */
  asksOthers?(attributes: AdmissionAttributes): boolean;
}

/** The `handles` of a plugin that is there for these operations only. */
export function onOperations(...operations: AdmissionOperation[]): AdmissionPlugin['handles'] {
  return (operation) => operations.includes(operation);
}
