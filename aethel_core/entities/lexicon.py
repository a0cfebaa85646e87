"""Word lists of the entity layer, as data. Every entry is in `match_form` (lower-case tokens).

A change here changes which graph is built; the lists are part of the filter's specification.
"""

from __future__ import annotations

from pathlib import Path

from aethel_core.text import STOP_WORDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(line.split()) for line in text.split(",") if line.strip())


ARTICLES = _words("the a an")

# Words that carry no name by themselves: grammar, courtesy titles, discourse openers.
FUNCTION_WORDS = STOP_WORDS | _words(
    """
    & s t d ll re ve m o upon within without among amongst against via per versus vs although though however
    therefore thus hence whereas whether either neither since unless except despite besides moreover
    furthermore additionally accordingly consequently meanwhile otherwise instead here there let may might
    must shall ought mr mrs ms dr prof sir messrs please see refer including includes included related one
    another every many much several because whose yes like around across along above below over out off yet
    still ever never always often today later earlier soon again already almost even perhaps indeed
    """
)

# Dropped from either end of a name, so that "See Amazon" and "its Amazon and" become "Amazon".
TRIMMED_WORDS = ARTICLES | _words(
    """
    and or & of in on at for by with from to as its our their his her this that these those such see both
    each mr mrs ms messrs
    """
)

NUMBER_WORDS = _words(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds
    thousand thousands million millions billion billions trillion dozen half quarter third fourth fifth
    sixth seventh eighth ninth tenth first second nd rd st th mm bn mn tn bps bp pts x
    """
)
MONTHS = _words(
    """
    january february march april may june july august september october november december jan feb mar apr
    jun jul aug sep sept oct nov dec
    """
)
WEEKDAYS = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    """
)
DATE_WORDS = (
    MONTHS
    | WEEKDAYS
    | _words(
        """
    day days week weeks month months year years quarter quarters date dated dates fiscal calendar ended
    ending end fy cy ytd qtd ltm ttm annual annually quarterly monthly weekly daily weekend century decade
    decades early late mid spring summer autumn fall winter morning evening night bc ad am pm est edt pst
    gmt utc past prior current next last previous period periods
    """
    )
)
MONEY_WORDS = _words(
    """
    dollar dollars usd eur euro euros gbp pound pounds jpy yen cad aud chf cny rmb percent percentage
    pct cent cents basis points point
    """
)

# A name made of nothing but a furniture word and a short number ("Item 7A", "Note 5") is furniture.
NUMBERED_FURNITURE = _words(
    """
    page pages pg item items note notes exhibit exhibits part table tables figure figures fig schedule
    schedules form forms appendix annex chapter footnote column row line lines level tier phase step stage
    volume vol issue no nos number ex slide panel option question
    """
)

FURNITURE = _phrases(
    """
    table of contents, contents, index, index to financial statements, form 10 k, form 10 q, form 8 k,
    form 20 f, form 10 k a, 10 k, 10 q, 8 k, 20 f, 10k, 10q, 8k, 20f, s k, s x, def 14a, signatures,
    signature, exhibit index, continued, cont, unaudited, audited, blank, intentionally left blank,
    this page intentionally left blank, incorporated by reference, check mark, yes no, not applicable, n a,
    na, tbd, n m, nm, see accompanying notes, the accompanying notes,
    united states securities and exchange commission washington, commission file number,
    irs employer identification no, securities registered pursuant to section, forward looking statements,
    safe harbor, risk factors, properties, legal proceedings, mine safety disclosures, executive overview,
    overview, glossary, preface, foreword, introduction, abstract, references, bibliography,
    external links, see also, further reading, et al, ibid, http, https, www, com, html, pdf, htm,
    lp letter, dear, r & d, sg & a, m & a, pp & e, q & a, g & a, d & a, o & m, p & l, e & o, d & o, t & e,
    f & b, s & m, t & cs, dear limited partners, dear limited partner, sincerely, regards, confidential,
    draft, copyright, all rights reserved, proprietary and confidential, for immediate release,
    press release, investor relations, media contact, contact, email, e mail, telephone, phone, fax
    """
)

# Captions, accounting vocabulary, roles and bare self references. A name all of whose tokens are
# here (or are function, number, date or money words) is dropped; "Bank of America" stays
# because "america" is not here.
GENERIC_WORDS = _words(
    """
    account accounts accounting accrual accruals accrued accumulated acquired acquisition acquisitions act
    acts activities activity actual additional additions adjusted adjustment adjustments administration
    administrative advances affiliate affiliates agent agents aggregate agreement agreements allocated
    allocation allowance amended amendment amendments amortisation amortization amortized amount amounts
    analysis analyst analysts announcement applicable application appropriate approval approximate
    approximately article asset assets assumptions attributable audit auditor auditors authorized available
    average balance balances bank banks base based beginning benefit benefits board body bond bonds book
    borrowing borrowings branch brand brands budget business businesses buyer buyback calculation call calls
    capital capitalization carrying cash category certain change changes charge charges chairman chief class
    classification closing code collateral commercial commission commitment commitments committee common
    communications companies company compared comparison compensation completed component components
    comprehensive condensed condition conditions consolidated consolidation consumer contingencies
    contingent continuing contract contracts contribution contributions control controls convertible
    corporate corporation cost costs coupon coverage covenant covenants credit creditor critical cumulative
    customer customers data dealer debt decrease decreased decreases default deferred defined deficit
    delivery department deposit deposits depreciation derivative derivatives description designated
    development diluted direct director directors disclosure disclosures discontinued discount discounted
    discussion disposal disposition dispositions distribution distributions district dividend dividends
    division divestiture document documents domestic due earned earning earnings ebit ebitda effect
    effective effects eliminations employee employees employer employment entities entity environmental
    equipment equities equity estimate estimated estimates event events evaluation excess exchange executive
    executives exercise exercised expected expenditure expenditures expense expenses expiration exposure
    external facilities facility factor factors fair fee fees file filed filer filing filings final finance
    financial financing firm fixed flow flows following foreign forecast founder forward free full fund
    funds future gain gains general global goods goodwill governance government gross group growth guarantee
    guarantees guidance headquarters hedge hedges hedging high highlights historical holder holders holding
    holdings impact impairment impairments incentive inc income incorporated increase increased increases
    incurred indebtedness indenture independent index indirect industrial industry information initial
    insurance intangible intangibles intellectual interest interests interim internal international
    inventories inventory investing investment investments investor investors issuance issued issuer items
    joint key labor law laws lease leased leases legal lender lenders letter liabilities liability limited
    liquidity list litigation llc loan loans local long loss losses low lower lp main maintenance major
    management manager managers managing manufacturing margin margins market marketing markets material
    matters maturities maturity maximum measure measures measurement member members merger minimum mix model
    monetary name national net new non noncontrolling noncurrent nonoperating number objectives obligation
    obligations offering office officer officers offices offset open operating operation operational
    operations opinion option options order orders ordinary organization original other outlook outstanding
    overall overhead owned owner owners ownership paid par parent participants parties partner partners
    partnership party payable payables payment payments pension performance person personnel plan plans
    policies policy portfolio position positive possible post potential practices preferred preliminary
    premium premiums prepaid present presentation president pretax price prices pricing primarily primary
    principal principles private pro proceedings proceeds product production products professional profit
    profits program programs project projected projects property proposal proposed proprietary provided
    provision provisions proxy public purchase purchased purchases purpose purposes qualified quality
    quantitative qualitative quarterly range rate rates rating ratings ratio ratios real realized reason
    receivable receivables recent recognition recognized recognised recommendation reconciliation record
    recorded reduction reference region regional regions registered registrant registration regulation
    regulations regulatory remaining repayment repayments report reportable reported reporting reports
    repurchase repurchased repurchases required requirement requirements research reserve reserves resources
    respect respectively responsible restated restricted restructuring result results retail retained
    retirement return returns revenue revenues review revised revolving right rights risk risks role
    royalties royalty rule rules salaries salary sale sales scheduled sec secretary section sector sectors
    secured securities security segment segments select selected sheet sheets seller selling senior separate
    series service services settlement settlements share shareholder shareholders shares short significant
    single software source sources special specific staff standard standards state statement statements
    states status statutory stock stockholder stockholders stocks strategic strategies strategy structure
    subject subsequent subsidiaries subsidiary subtotal sum summary supplemental supplementary supplier
    suppliers supply support system systems tangible tax taxable taxation taxes team tenant term terminated
    termination terms third title total totals trade trading transaction transactions transfer transfers
    transition treasury trend trends trust trustee trustees type types unallocated uncertainties uncertainty
    unconsolidated underlying underwriter underwriters unearned unit units unrealized unrecognized unsecured
    update use used useful utilities utilization valuation value values variable variance various vendor
    vendors vested vesting vice volume volumes voting wages warrant warrants website weighted wholesale
    working workforce write writedown yield ceo cfo coo cto evp svp vp irr nav dpi tvpi moic rvpi gp gps lps
    ebitdar eps gaap ifrs roe roic roi capex opex sga r d cagr yoy qoq gen acct misc etc incl excl approx
    attn tel ref nos
    """
)

# Too common as the whole name, fine inside one ("University" alone; "Boston University").
LONE_WORDS = _words(
    """
    north south east west northern southern eastern western central northeast northwest southeast southwest
    university college school county city town village river lake mount mountain island islands street
    avenue road bridge church museum library hospital station airport park house hall building center centre
    square king queen prince princess lord lady duke earl emperor pope saint bishop father mother brother
    sister son daughter wife husband child children family man men woman women people person professor
    doctor captain general colonel major governor mayor senator minister ambassador prime judge justice
    court congress senate parliament republic kingdom empire union federal army navy force forces war battle
    film movie book novel song album band music television radio show episode season game games club league
    cup championship team player coach award awards prize ball world universe earth sun moon god history art
    science language name names born died life death love time day night home land water fire air food power
    light black white red blue green yellow brown gray grey gold silver old young great little big good best
    bad true false left right top bottom human natural modern ancient act amendment article chapter section
    code rule title bill topic update asu asc fasb agency association bureau commissioner council institute
    institution ministry society foundation software hardware internet web online mobile digital technology
    technologies energy oil gas health care healthcare medical pharmaceutical pharmaceuticals beverage media
    entertainment gaming resort resorts hotel casino store stores apparel footwear electronics aerospace
    defense automotive construction mining agriculture transportation logistics education telecommunications
    january february march april may june july august september october november december covid virus
    pandemic die
    """
)

# What filings and fund papers write in capitals without naming anybody: parts of statements, notes,
# plans and awards, and the words of the forms themselves. Left out of overviews (`evidence.groups`),
# with the words above; they stay names, because a question may mean them.
BOILERPLATE_WORDS = _words(
    """
    accompanying active actuarial adoption adverse affirmative annualized antidilutive assumption basic
    beneficial bylaw carryback carryforward carryforwards certificate certification cessation classified
    commentary comparability concession confidential constant contractual controlling convention
    counterparty currency definition designee determination dilutive disposal divestiture election
    eligible emerging enterprise equivalent exchange exclusion exit expectancy filer forfeiture form
    forward framework funded grant grantee grantor guarantor held herewith hierarchy hypothetical
    identical inception indefinite indemnification indemnity independence index indicate inline input
    institution instrument integrated irrevocable item level life lived lives long looking mandatory
    marketable matter maturity measurement medical meeting method mine noncontrolling nonvested notice
    notwithstanding observable organic over participant postemployment postretirement pre procedure
    process property publicly quoted readily redeemable relationship remeasurement represent represents
    restated retention retiree retrospective safety scope separately settlement severance significant
    sinking substantially supplementary supply tax time transferability translation unamortized uncertain
    unobservable unresolved useful valuation vested withholding
    """
)

# Legal forms that end a company's name; a name differing from another only in these is its alias.
LEGAL_SUFFIXES = _phrases(
    """
    inc, incorporated, corp, corporation, co, company, companies, llc, lp, llp, lllp, ltd, limited, plc,
    sa, nv, ag, gmbh, kg, kgaa, se, sarl, sas, spa, srl, bv, ab, oy, oyj, as, asa, pty, pte, kk, aps, sca,
    scsp, sicav, pllc, pc, na, limited partnership, limited liability company,
    public limited company
    """
)
# Those that make a name even of generic words ("Capital One Financial Corporation").
NAMING_SUFFIXES = LEGAL_SUFFIXES & _words(
    "inc incorporated corp corporation llc lp llp ltd plc sa nv ag gmbh se"
)
# Weaker: dropping them may join a parent with another firm of the group.
WEAK_SUFFIXES = _words("holdings holding group")

# Lower-case English words that real filings and encyclopedia articles write small at least as often as
# capitalised: "Target" may be a firm, "target" rarely is. Written once from word counts.
COMMON_WORDS = (
    _words((Path(__file__).parent / "common_words.txt").read_text(encoding="utf-8"))
    | FUNCTION_WORDS
    | LONE_WORDS
)

# "Securities and Exchange Commission" is one name, "Apple and Microsoft" is two.
INSTITUTION_WORDS = _words(
    """
    commission act department company co inc corp corporation agency office administration bureau institute
    university college committee council association museum ministry society foundation board service services
    industries bank court review organization organisation authority partners
    """
)

# Left out of a fund's short name: "NorthRiver Capital Partners IV" is also "NorthRiver IV".
FUND_WORDS = _words(
    """
    capital partners partner fund funds equity private credit debt investors investment investments growth
    buyout opportunities opportunity ventures venture real estate infrastructure secondary secondaries
    strategic special situations lending income asset assets management global europe european asia pacific
    north america american us mezzanine distressed direct co
    """
)

# How a filing or a letter calls its own company. Pronouns need no definition in the text.
SELF_NOUNS = _words("company registrant fund partnership corporation issuer trust firm bank group")
SELF_PRONOUNS = _words("we us our")

# What a quoted short name may denote that is not the name before it ("Acme Inc. (the “Merger”)").
EVENT_WORDS = _words(
    """
    merger acquisition transaction transactions agreement notes note plan loan loans facility offering lease
    leases spinoff ipo board closing effective date lawsuit complaint order policy program tender
    distribution separation sellers seller buyer act rule
    """
)

ROMAN_NUMERALS = _words("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx")
