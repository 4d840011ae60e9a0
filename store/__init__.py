"""What is kept: the PostgreSQL schema and its queries, the embedded server, the WARC archive of pages.

Every query works inside the transaction of the session it is given and leaves the commit to its caller:
`with Session(engine) as session, session.begin(): ...`.
"""
