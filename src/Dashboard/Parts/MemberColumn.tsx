import type { Member } from "../../Domain/Member.ts"
import type { Column } from "./Table.tsx"

export const memberColumn = (
  memberOf: (id: string) => Pick<Member, "email"> | undefined
): Column<{ readonly member_id: string }> => ({
  title: "Member",
  minor: true,
  sortBy: ({ member_id }) => memberOf(member_id)?.email,
  cell: ({ member_id }) => (
    <span className="owner" title={memberOf(member_id)?.email}>{memberOf(member_id)?.email}</span>
  )
})
