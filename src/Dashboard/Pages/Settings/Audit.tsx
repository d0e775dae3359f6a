import { useInfiniteQuery } from "@tanstack/react-query"
import type { AuditEntry } from "../../../Domain/Audit.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Json } from "../../Parts/Json.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useMembers } from "../../Service/Lists.ts"
import { run, service, type ServiceError } from "../../Service/Service.ts"

interface AuditPage {
  readonly entries: ReadonlyArray<AuditEntry>
  readonly cursor: string | null
}

/** Who changed what, newest first. */
export const Audit = () => {
  const members = useMembers(true)
  const entries = useInfiniteQuery<
    AuditPage,
    ServiceError,
    ReadonlyArray<AuditEntry>,
    ReadonlyArray<string>,
    string | null
  >({
    queryKey: ["audit"],
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      run(service.audit.list({ query: { ...pageParam !== null && { cursor: pageParam } } }), signal),
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries)
  })
  const actorWords = ({ actor }: AuditEntry) =>
    actor.type === "token"
      ? "Admin token"
      : actor.type === "system"
      ? "The service"
      : members.data?.find(({ id }) => id === actor.member_id)?.email ?? actor.member_id
  const columns: ReadonlyArray<Column<AuditEntry>> = [
    {
      title: "Time",
      cell: ({ at }) => (
        <span className="nowrap">
          <Time at={at} />
        </span>
      )
    },
    { title: "Who", cell: (entry) => <span className="name">{actorWords(entry)}</span> },
    { title: "Action", cell: ({ action }) => <code className="nowrap">{action}</code> },
    { title: "Subject", minor: true, cell: ({ subject }) => subject.id !== null && <Id id={subject.id} /> },
    { title: "Address", minor: true, cell: ({ address }) => <span className="nowrap">{address}</span> },
    {
      title: "Details",
      minor: true,
      cell: ({ details }) =>
        Object.keys(details).length > 0 && (
          <details>
            <summary>{Object.keys(details).join(", ")}</summary>
            <Json value={details} />
          </details>
        )
    }
  ]
  return (
    <div className="stack">
      <Table
        label="Audit"
        columns={columns}
        rows={entries.data}
        rowKey={({ id }) => id}
        error={entries.error}
        reloading={entries.isFetching}
        empty={<Empty>Nothing was changed yet.</Empty>}
      />
      {entries.hasNextPage && (
        <button
          type="button"
          disabled={entries.isFetchingNextPage}
          onClick={() => entries.fetchNextPage()}
        >
          Older entries
        </button>
      )}
    </div>
  )
}
