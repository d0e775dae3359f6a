import { cpuMillis } from "./EventLoop.ts"

/** How many times longer four times the input takes, in CPU time of this thread: about 4 if linear, 16 if quadratic. */
export const growth = <Input>(size: number, prepare: (size: number) => Input, run: (input: Input) => void): number => {
  const time = (input: Input) =>
    Math.min(...[1, 2, 3].map(() => {
      const start = cpuMillis()
      run(input)
      return cpuMillis() - start
    }))
  const small = time(prepare(size))
  return time(prepare(4 * size)) / Math.max(small, 1)
}
