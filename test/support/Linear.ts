import { cpuMillis } from "./EventLoop.ts"

/**
 * How many times longer four times the input takes, in CPU time of this thread: about 4 if linear, 16 if quadratic. Other
 * work on the machine only makes a round slower, so the least time of some rounds counts.
 */
export const growth = <Input>(size: number, prepare: (size: number) => Input, run: (input: Input) => void): number => {
  const inputs = [prepare(size), prepare(4 * size)] as const
  const time = (input: Input) => {
    const start = cpuMillis()
    run(input)
    return cpuMillis() - start
  }
  let [small, large] = [Infinity, Infinity]
  for (let round = 0; round < 3 || round < 20 && large > 6 * Math.max(small, 1); round++) {
    small = Math.min(small, time(inputs[0]))
    large = Math.min(large, time(inputs[1]))
  }
  return large / Math.max(small, 1)
}
