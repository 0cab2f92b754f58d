import { VerbatimValue } from '../../../machinery/errors/index.ts';

/** A structure as a bad value in a message. */
export const showStructure = (_type: string, value: object): VerbatimValue =>
  new VerbatimValue(JSON.stringify(value));

/** A quantity as a bad value where the reference shows the structure. */
export const showQuantity = (quantity: object): VerbatimValue => showStructure('Quantity', quantity);
