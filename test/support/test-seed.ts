import fastCheck from 'fast-check';

/**
 * Where random tests begin, for each of them: the same commit is judged the same way whenever all tests run, so the seed
 * is a constant then. `ORCH_TEST_SEED=random` looks further, a number repeats what was found.
 */
const wanted = process.env.ORCH_TEST_SEED ?? '20261121';

export const testSeed =
  wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number.parseInt(wanted, 10);

fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed: testSeed });
