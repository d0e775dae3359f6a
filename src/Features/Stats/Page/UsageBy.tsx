import type { ReactNode } from "react"
import { Link } from "wouter"
import { SaveCsv } from "../../../Dashboard/Data/SaveCsv.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { SelectFilter } from "../../../Dashboard/Parts/Filters.tsx"
import { number, share } from "../../../Dashboard/Parts/Numbers.ts"
import { Provider, useProviderName } from "../../../Dashboard/Parts/Provider.tsx"
import { type Column, Table } from "../../../Dashboard/Parts/Table.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useClientName } from "../../../Dashboard/Service/ClientName.ts"
import { useGrants, useKeys } from "../../../Dashboard/Service/Lists.ts"
import { featuresOff } from "../../../Dashboard/Service/ServedPage.ts"
import type { StatsBucket, StatsDimension } from "../../../Domain/Calls/Stats.ts"
import { typed } from "../../../Domain/Table/Table.ts"
import { totals } from "./Figures.tsx"
import { type PeriodName, wordsOf } from "./Periods.ts"
import { useStats } from "./Queries.ts"
import { dollars, millisBetween } from "./StatsWords.ts"

const dimensions = [
  { id: "client", title: "Clients", parameter: "client", noun: "Client", other: "Without a client" },
  { id: "provider", title: "Providers", parameter: "provider", noun: "Provider", other: "Without a provider" },
  { id: "key", title: "API keys", parameter: "key", noun: "API key", other: "Agents and the dashboard" },
  { id: "grant", title: "Agents", parameter: "agent", noun: "Agent", other: "Keys and the dashboard" },
  { id: "target", title: "Operations", parameter: "target", noun: "Operation", other: "Unknown operations" }
] as const satisfies ReadonlyArray<{ readonly id: StatsDimension } & Record<string, string>>

const others = dimensions.slice(1).filter(({ id }) => id !== "grant" || !featuresOff.includes("agent_access"))
  .map(({ id, title }) => ({ value: id, title }))

interface Row extends ReturnType<typeof totals> {
  readonly id: string | null
  readonly name: string
}

const rowsOf = (buckets: ReadonlyArray<StatsBucket>, nameOf: (id: string | null) => string): ReadonlyArray<Row> =>
  [...Map.groupBy(buckets, ({ group }) => group)]
    .map(([id, found]) => ({ id, name: nameOf(id), ...totals(found) }))
    .toSorted((one, other) => other.calls - one.calls)

export const UsageBy = ({ period, periodTitle }: {
  readonly period: PeriodName
  readonly periodTitle: string
}) => {
  const [name, setName] = useUrlState("by")
  const by = dimensions.find(({ id }) => id === name) ?? dimensions[0]
  const stats = useStats(period, { group_by: by.id })
  const clientName = useClientName()
  const keyOf = useById(useKeys().data)
  const grantOf = useById(useGrants().data)
  const providerName = useProviderName()
  const names: Readonly<Record<typeof by.id, (id: string) => string | undefined>> = {
    client: clientName,
    provider: providerName,
    key: (id) => keyOf(id)?.name,
    grant: (id) => grantOf(id)?.agent.name,
    target: (id) => id.replace(/^\w+:/, "")
  }
  const nameOf = (id: string | null): string => id === null ? by.other : names[by.id](id) ?? id
  const rows = stats.data && !stats.isPlaceholderData ? rowsOf(stats.data.buckets, nameOf) : undefined
  const title = ({ id, name }: Row): ReactNode => {
    if (id === null) return <span className="muted">{name}</span>
    if (by.id === "provider") return <Provider id={id} />
    const href = by.id === "client" ? `/clients/${id}` : `/logs?${by.parameter}=${encodeURIComponent(id)}`
    return <Link className={by.id === "target" ? "name mono" : "name"} href={href} title={name}>{name}</Link>
  }
  const columns: ReadonlyArray<Column<Row>> = [
    { title: by.noun, sortBy: ({ name }) => name, cell: title },
    { title: "Calls", kind: "number", sortBy: ({ calls }) => calls, cell: ({ calls }) => number.format(calls) },
    {
      title: "Failed",
      kind: "number",
      sortBy: ({ failed }) => failed,
      cell: ({ calls, failed }) => failed === 0 ? "0" : `${number.format(failed)} (${share(failed, calls)})`
    },
    {
      title: "Refused",
      kind: "number",
      sortBy: ({ refused }) => refused,
      cell: ({ refused }) => number.format(refused)
    },
    {
      title: "From the cache",
      kind: "number",
      minor: true,
      sortBy: ({ cached }) => cached,
      cell: ({ cached, calls }) => share(cached, calls)
    },
    { title: "p50", kind: "number", minor: true, cell: ({ p50 }) => millisBetween(p50) },
    { title: "Cost", kind: "number", minor: true, sortBy: ({ cost }) => cost, cell: ({ cost }) => dollars.format(cost) }
  ]
  const heads = [by.id, "id", "calls", "failed", "refused", "from_cache", "cost_usd"]
  const cells = (rows ?? []).map(({ cached, calls, cost, failed, id, name, refused }) =>
    [name, id ?? "", calls, failed, refused, cached, cost] as const
  )
  return (
    <section className="stack" aria-label="Usage">
      <div className="row-of spread">
        <h2>Usage, {wordsOf(periodTitle)}</h2>
        <span className="filters">
          <SelectFilter
            label="Usage by"
            all={dimensions[0].title}
            options={others}
            value={by.id === dimensions[0].id ? "" : by.id}
            onChange={setName}
          />
          <SaveCsv
            className=""
            disabled={cells.length === 0}
            name={`usage by ${by.id}, ${wordsOf(periodTitle)}`}
            table={typed(heads, cells)}
          />
        </span>
      </div>
      <Table
        label="Usage"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id ?? ""}
        error={stats.error}
        expected={3}
        empty={<Empty>No calls in this time.</Empty>}
      />
      {stats.data?.truncated && (
        <p className="meta">
          There are too many values for this time, so its later part is missing. Choose a shorter time.
        </p>
      )}
    </section>
  )
}
