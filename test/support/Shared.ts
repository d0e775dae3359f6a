import { Layer, Scope } from "effect"

const untilTheWorkerEnds = Scope.makeUnsafe()

/** The services of a layer, built once for all test files of a worker, which run one after the other. */
export const shared = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> => {
  // Its own, as servers with other settings have parts in common.
  const memoMap = Layer.makeMemoMapUnsafe()
  return Layer.effectContext(Layer.buildWithMemoMap(layer, memoMap, untilTheWorkerEnds))
}
