import { Link } from "wouter"
import type { Approval } from "../../../Domain/Calls/Approval.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { Id } from "../../Parts/Id.tsx"
import { ListPage } from "../../Parts/ListPage.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useApprovals } from "../../Service/Approvals.ts"
import { statusWords } from "./Words.ts"

const columns: ReadonlyArray<Column<Approval>> = [
  {
    title: "Write",
    sortBy: ({ target }) => target,
    cell: ({ id, target }) => <Link className="name" href={`/approvals/${id}`}>{target}</Link>
  },
  { title: "Status", sortBy: ({ status }) => status, cell: ({ status }) => statusWords[status] },
  {
    title: "Asked by",
    minor: true,
    cell: ({ asked_by }) => <Id id={asked_by.key_id ?? asked_by.grant_id ?? asked_by.member_id} />
  },
  { title: "Asked", sortBy: ({ created_at }) => created_at, cell: ({ created_at }) => <Time at={created_at} /> }
]

export const Approvals = () => (
  <ListPage
    title="Approvals"
    about="Writes that API keys and agents have asked for, and that wait until you approve them."
    what="approval"
    list={useApprovals()}
    columns={columns}
    searchedTexts={({ id, provider, target }) => [id, provider, target]}
    none={<Empty>Nothing was asked for. A key or an agent that asks before each change is listed here.</Empty>}
  />
)
