import type { Logger } from '../../../base/index.ts';

/** A logger that hands over to the one that `choose` gives at each call; so do its children, whenever they were made. */
export function createSwitchableLogger(choose: () => Logger): Logger {
  return {
    error: (message, fields) => choose().error(message, fields),
    info: (message, fields) => choose().info(message, fields),
    debug: (message, fields) => choose().debug(message, fields),
    child(fields) {
      let parent = choose();
      let own = parent.child(fields);
      return createSwitchableLogger(() => {
        if (choose() !== parent) {
          parent = choose();
          own = parent.child(fields);
        }
        return own;
      });
    },
  };
}
