import { Layer, Scope } from "effect"

const untilTheWorkerEnds = Scope.makeUnsafe()

/** The services of a layer, built once for all test files of a worker, which run one after the other. */
export const shared = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> => {
  // One map for each, so that two shared servers have no folder or database in common.
  const memoMap = Layer.makeMemoMapUnsafe()
  return Layer.effectContext(Layer.buildWithMemoMap(layer, memoMap, untilTheWorkerEnds))
}
