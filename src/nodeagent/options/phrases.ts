import { goPhrases, type PhraseBook } from '../../config/index.ts';
import { flagOption } from './option-table.ts';

/** What the agent says of its command line and file: some of its flags are read by parsers that say no more than that. */
export const agentPhrases: PhraseBook = {
  ...goPhrases,
  missingValue: (written) => `flag needs an argument: ${written}`,
  refusedValue: (refused) => {
    const problem = flagOption(refused.option.name)?.terse ? 'parse error' : refused.problem;
    return goPhrases.refusedValue({ ...refused, problem });
  },
};
