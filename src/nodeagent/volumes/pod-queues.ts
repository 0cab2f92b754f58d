/** Runs tasks of one pod one after another; those of several pods side by side. */
export interface PodQueues {
  /** Resolves, or fails, as the task does. */
  run<T>(podUid: string, task: () => Promise<T>): Promise<T>;
}

/** No tasks yet. */
export function createPodQueues(): PodQueues {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(podUid, task) {
      const before = last.get(podUid);
      // The failure of the task before was reported to the caller of that task.
      const own = before === undefined ? task() : before.then(task, task);
      last.set(podUid, own);
      try {
        return await own;
      } finally {
        if (last.get(podUid) === own) last.delete(podUid);
      }
    },
  };
}
