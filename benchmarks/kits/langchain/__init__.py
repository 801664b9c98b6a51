"""The vector store tests of langchain-tests, over `InMemoryVectorStore`."""
