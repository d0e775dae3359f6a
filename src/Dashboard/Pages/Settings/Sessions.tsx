import type { Session } from "../../../Domain/Session.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Status } from "../../Parts/Status.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useServiceMutation, useServiceQuery } from "../../Service/Queries.ts"

export const Sessions = () => {
  const sessions = useServiceQuery(["sessions"], ({ session }) => session.list())
  const end = useServiceMutation(({ session }, id: string) => session.end({ params: { id } }), ["sessions"])
  const endOthers = useServiceMutation(({ session }) => session.endOthers(), ["sessions"])
  const rows = sessions.data?.sessions
  const columns: ReadonlyArray<Column<Session>> = [
    {
      title: "Browser",
      cell: ({ user_agent }) => <span className="name" title={user_agent ?? ""}>{user_agent ?? "unknown"}</span>
    },
    { title: "Address", cell: ({ address }) => address },
    { title: "Signed in", minor: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { title: "Last used", cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      title: "Actions",
      kind: "actions",
      cell: ({ address, current, id }) =>
        current
          ? <Status state="ok">This one</Status>
          : (
            <button type="button" aria-label={`End the session from ${address}`} onClick={() => end.mutate(id)}>
              End
            </button>
          )
    }
  ]
  const error = end.error ?? endOthers.error
  return (
    <div className="stack">
      {error && <ErrorNotice error={error} />}
      <Table
        label="Sessions"
        expected={1}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        error={sessions.error}
        reloading={sessions.isFetching}
        empty={<Empty>There is no session.</Empty>}
      />
      {rows && rows.length > 1 && (
        <button
          type="button"
          disabled={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          Sign out everywhere else
        </button>
      )}
    </div>
  )
}
