/** Tarjan's strongly connected components of the nodes that `roots` reach, each after its dependencies. */
export const connectedComponents = (
  roots: ReadonlyArray<string>,
  next: (node: string) => ReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<string>> => {
  const indexes = new Map<string, number>()
  const lows = new Map<string, number>()
  const open: Array<string> = []
  const groups: Array<ReadonlyArray<string>> = []

  const visit = (node: string): number => {
    const known = indexes.get(node)
    if (known !== undefined) return open.includes(node) ? lows.get(node) ?? known : Number.POSITIVE_INFINITY
    const index = indexes.size
    indexes.set(node, index)
    lows.set(node, index)
    open.push(node)
    const low = Math.min(index, ...next(node).map(visit))
    lows.set(node, low)
    if (low === index) groups.push(open.splice(open.indexOf(node)))
    return low
  }

  roots.forEach(visit)
  return groups
}
