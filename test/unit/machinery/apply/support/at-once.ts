import { type Steps, takeSteps } from '../../../../../src/base/index.ts';
import type {
  ApplyConfigurationInput,
  FieldManager,
  RecordUpdateInput,
} from '../../../../../src/machinery/apply/index.ts';

/** A function whose work comes in steps, as one that takes all of them. */
export const takingSteps =
  <Input, Result>(work: (input: Input) => Steps<Result>) =>
  (input: Input): Result =>
    takeSteps(work(input));

/** A field manager whose methods take all of their steps. */
export const atOnce = (fields: FieldManager) => ({
  recordUpdate: takingSteps((input: RecordUpdateInput) => fields.recordUpdate(input)),
  applyConfiguration: takingSteps((input: ApplyConfigurationInput) => fields.applyConfiguration(input)),
});
