"""README.md of every bundle, in both languages. It names no campaign and no bot."""

README_TEXT = """\
# 话测结果包 · Huace results bundle

## 中文

本压缩包包含一个排行榜的全部依据：对话、账本、原始评分及其修改记录、评分表、排名规则。任何人都可以由此重新计算排行榜，无需数据库：

    python3 huace-verify.pyz 本文件.zip

huace-verify.pyz 可从发布页下载，只需 Python 3.11 或更新版本，无需安装其他软件。程序逐项检查并重新计算；全部一致时退出码为 0，否则指出有出入的文件或数字，退出码为 1。
请把它显示的结果包摘要（SHA-256）与发布页上公布的摘要比较：只有摘要能证明整个文件就是发布的那一份。

| 文件 | 内容 |
|---|---|
| `manifest.json` | 各文件的摘要、字节数、行数，格式与软件版本 |
| `campaign.json` | 排名规则、设置、评分表、随机种子 |
| `entries.jsonl` `scenarios.jsonl` | 系统，测试用例 |
| `dialogues.jsonl` `turns.jsonl` `attempts.jsonl` `ledger.jsonl` | 对话、轮次、对系统的请求、账本 |
| `reviews.jsonl` `ratings.jsonl` `changes.jsonl` | 评审、单项评分、评分的每次修改 |
| `disputes.jsonl` `vettings.jsonl` | 评审间的分歧，专家的认可 |
| `plan.json` `assignments.jsonl` | 分配计划，分配：谁与哪个系统谈什么 |
| `imported.jsonl` | 从别处导入的记录 |
| `records.jsonl` | 计入排名的记录（对话 × 评审人） |
| `leaderboard.json` | 排行榜，数字未经舍入 |
| `runs.jsonl` `combined.json` | 仅综合排行的结果包才有：各队提交的数字（不含标准答案），综合排行 |
| `pairs.jsonl` `pairs.json` | 仅当有人对系统两两比较时才有：每一票，由此计算的实力排行 |
| `statistics.json` | 区间、名次概率、检验；加上 `--statistics` 重新抽样计算（需要 numpy 和 scipy） |

人员一律以编号代替；编号只在本结果包内有效。

## English

This zip holds everything that a leaderboard is made of: transcripts, ledger, raw scores with the trail of their changes, rubric,
ranking rule. Anybody can compute the leaderboard again from it, without a database:

    python3 huace-verify.pyz THIS.zip

The page where the leaderboard was published offers huace-verify.pyz; it needs Python 3.11 or newer alone. It checks every file and computes
everything again. If all agrees it exits with 0; else it names the file or figure that differs and exits with 1.
Compare the digest of the bundle that it prints (SHA-256) with the one on the page where the leaderboard was published: the digest alone
proves that the whole file is the one that was published.

| file | what is in it |
|---|---|
| `manifest.json` | digest, bytes and rows of each file; versions of format and product |
| `campaign.json` | ranking rule, settings, rubric, seed |
| `entries.jsonl` `scenarios.jsonl` | bots, scenarios |
| `dialogues.jsonl` `turns.jsonl` `attempts.jsonl` `ledger.jsonl` | dialogues, turns, requests to bots, ledger |
| `reviews.jsonl` `ratings.jsonl` `changes.jsonl` | reviews, single scores, every change of them |
| `disputes.jsonl` `vettings.jsonl` | where a panel differed; what experts accepted |
| `plan.json` `assignments.jsonl` | the plan; who was to talk to which bot about what |
| `imported.jsonl` | records that were imported from elsewhere |
| `records.jsonl` | the records that rank (dialogue × reviewer) |
| `leaderboard.json` | the leaderboard, with unrounded figures |
| `runs.jsonl` `combined.json` | only in the bundle of a combined board: the figures of the teams' runs (never the gold), the board |
| `pairs.jsonl` `pairs.json` | only where people compared systems in pairs: each vote, and the board of strengths made of them |
| `statistics.json` | intervals, chances of ranks, tests; `--statistics` draws them again (needs numpy and scipy) |

People have numbers instead of names, which hold within this bundle alone.
"""

README_OF_RUNS = """\
# 话测结果包 · Huace results bundle

## 中文

本压缩包包含一个或多个评测任务的排行榜的依据：各次提交的数字、排名规则。任何人都可以由此重新计算名次，无需数据库：

    python3 huace-verify.pyz 本文件.zip

huace-verify.pyz 可从发布页下载，只需 Python 3.11 或更新版本，无需安装其他软件。全部一致时退出码为 0，否则指出有出入的文件或数字，退出码为 1。
请把它显示的结果包摘要（SHA-256）与发布页上公布的摘要比较：只有摘要能证明整个文件就是发布的那一份。

| 文件 | 内容 |
|---|---|
| `manifest.json` | 各文件的摘要、字节数、行数，格式与软件版本 |
| `runs.jsonl` | 各次提交的数字，未经舍入；没有名次的队及原因 |
| `combined.json` | 排行榜：列、规则、名次 |

提交如何评分无法由此检查：那需要标准答案，而标准答案不公开。

## English

This zip holds what a board of one or more automatic tasks is made of: the figures of the runs and the ranking rule. Anybody can compute
the ranks again from it, without a database:

    python3 huace-verify.pyz THIS.zip

The page where the board was published offers huace-verify.pyz; it needs Python 3.11 or newer alone. If all agrees it exits with 0; else it
names the file or figure that differs and exits with 1. Compare the digest of the bundle that it prints (SHA-256) with the one on the page where the board was published: the digest
alone proves that the whole file is the one that was published.

| file | what is in it |
|---|---|
| `manifest.json` | digest, bytes and rows of each file; versions of format and product |
| `runs.jsonl` | the figures of the runs, unrounded; teams without a rank, with the reason |
| `combined.json` | the board: columns, rule, ranks |

How runs were scored cannot be checked from it: that takes the gold, which stays hidden.
"""
